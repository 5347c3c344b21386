import { describe, expect, it } from "vitest";
import { isHarmful } from "../../src/loading/harmful";

const harmful = (path: string) => isHarmful(`https://example.org${path}`);

describe("in the user's name", () => {
    it.each([
        "/logout",
        "/users/sign_out",
        "/Account/LogOff",
        "/wp-login.php?action=logout&_wpnonce=1a2b",
        "/index.php?title=Special:UserLogout",
        "/wiki/Especial:Salir",
        "/doSignOut",
        "/logout.php",
        "/es/cerrar-sesi%C3%B3n",
        "/salir",
        "/salir.aspx",
        "/newsletter/abmelden/",
        "/posts/7/delete",
        "/cart/remove/7",
        "/cart/?remove_item=7",
        "/tea?add-to-cart=7",
        "/index.php?title=Tea&action=edit",
        "/index.php?title=Tea&action=unwatch",
        "/item?do=upvote",
        "/mod/forum/post.php?sesskey=abc",
        "/?csrf_token=abc",
    ])("%s is not asked for", (path) => expect(harmful(path)).toBe(true));

    it.each([
        "/",
        "/tea",
        "/salir-a-comer",
        "/remove-stains/",
        "/how-to-delete-files",
        "/blogout",
        "/catalogue/office",
        "/catalog-offers",
        "/design/outdoors",
        "/signoffice",
        "/deleted-scenes",
        "/?page=2&sort=votes",
        "/?action=view",
        "/search?q=tea+pots",
        "/%E9",
    ])("%s is", (path) => expect(harmful(path)).toBe(false));
});
