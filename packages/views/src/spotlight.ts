// The block that is to be seen: chosen in one panel, lit in another.

type Watch = (pagelet: number) => void;

export class Spotlight {
    #pagelet: number | undefined;
    #watch: Watch | undefined;

    /** Chooses a pagelet, by its number in the page's list. */
    choose(pagelet: number): void {
        this.#pagelet = pagelet;
        this.#watch?.(pagelet);
    }

    /** Has somebody told what is chosen, be it that it was before. */
    watch(watch: Watch): void {
        this.#watch = watch;
        if (this.#pagelet !== undefined) watch(this.#pagelet);
    }
}
