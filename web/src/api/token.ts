// The bearer token, kept until the tab is closed.

const KEY = "husk-token";

export class Token {
    constructor(private readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">) {}

    get isKnown(): boolean {
        return this.storage.getItem(KEY) !== null;
    }

    keep(word: string): void {
        this.storage.setItem(KEY, word.trim());
    }

    /** Called when the server rejects it. */
    forget(): void {
        this.storage.removeItem(KEY);
    }

    header(): Record<string, string> {
        const word = this.storage.getItem(KEY);
        return word === null ? {} : { Authorization: `Bearer ${word}` };
    }
}
