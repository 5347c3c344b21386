// The selected block, shared between panels.

type Watch = (pagelet: number) => void;

export class Spotlight {
    #pagelet: number | undefined;
    #watch: Watch | undefined;

    /** Selects a pagelet by its index. */
    choose(pagelet: number): void {
        this.#pagelet = pagelet;
        this.#watch?.(pagelet);
    }

    /** Calls `listener` with the selection, also with an earlier one. */
    watch(watch: Watch): void {
        this.#watch = watch;
        if (this.#pagelet !== undefined) watch(this.#pagelet);
    }
}
