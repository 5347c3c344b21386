import type { Method, ResultSummary } from "../src/api/types";

export const KEY_PAGE: string;
export const EVENTS: [string, Record<string, unknown>][];
export const OUTPUTS: Record<string, unknown>;
export function summary(id: string, method?: Method, given?: Partial<ResultSummary>): ResultSummary;
