// What a screenshot shows, measured in the browser itself: it can read its own pictures.

/** The mean colour of a part of a picture, as `[red, green, blue]`. */
export async function meanColour(tab, picture, { x, y, width, height }) {
    return tab.evaluate(meanOf, picture.toString("base64"), [x, y, width, height].map(Math.round));
}

/** How far, and how straight, a colour went from `before` towards `aim`: 1 is straight there. */
export function wentTowards(before, after, aim) {
    const way = aim.map((value, index) => value - before[index]);
    const went = after.map((value, index) => value - before[index]);
    const length = (vector) => Math.hypot(...vector);
    if (length(went) === 0) return 0;
    const product = way.reduce((sum, value, index) => sum + value * went[index], 0);
    return product / (length(way) * length(went));
}

/** `#rrggbb` as numbers. */
export function colour(text) {
    return [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));
}

async function meanOf(encoded, [x, y, width, height]) {
    const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(x, y, width, height);
    const sums = [0, 0, 0];
    for (let at = 0; at < data.length; at += 4) {
        for (let part = 0; part < 3; part += 1) sums[part] += data[at + part];
    }
    return sums.map((sum) => sum / (data.length / 4));
}
