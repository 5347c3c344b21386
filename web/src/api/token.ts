// The word that opens a server which is not for everybody: kept until the browser's tab is closed, and nowhere else.

const KEY = "husk-token";

export class Token {
    constructor(private readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">) {}

    get isKnown(): boolean {
        return this.storage.getItem(KEY) !== null;
    }

    keep(word: string): void {
        this.storage.setItem(KEY, word.trim());
    }

    /** It did not open the server. */
    forget(): void {
        this.storage.removeItem(KEY);
    }

    header(): Record<string, string> {
        const word = this.storage.getItem(KEY);
        return word === null ? {} : { Authorization: `Bearer ${word}` };
    }
}
