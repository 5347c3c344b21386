export interface Seen {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string;
    isCutOff: boolean;
}

export class MockServer {
    static start(port?: number): Promise<MockServer>;
    origin: string;
    pace: number;
    requests: Seen[];
    fault: (seen: Seen) => { status: number; headers?: Record<string, string>; body: unknown } | undefined;
    close(): void;
}
