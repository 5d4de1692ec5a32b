/**
 * What the queue uses of a browser, typed by hand: the package compiles without the types of browsers, so that it uses
 * nothing of them by accident.
 */
export interface Platform {
  /** Null in some browsers that forbid it. */
  indexedDB?: DatabaseFactory | null;
  navigator?: { locks?: { request<Result>(name: string, work: () => Promise<Result>): Promise<Result> } };
  addEventListener?: (type: "online", listener: () => void) => void;
  removeEventListener?: (type: "online", listener: () => void) => void;
}

/** `indexedDB`. */
export interface DatabaseFactory {
  open(name: string, version: number): DatabaseRequest<Database> & { onupgradeneeded: (() => void) | null };
}

export interface DatabaseRequest<Result> {
  readonly result: Result;
  readonly error: unknown;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}

export interface Database {
  createObjectStore(name: string, options: { keyPath: string }): unknown;
  transaction(name: string, mode: "readonly" | "readwrite"): DatabaseTransaction;
  close(): void;
  onclose: (() => void) | null;
  onversionchange: (() => void) | null;
}

export interface DatabaseTransaction {
  objectStore(name: string): ObjectStore;
  abort(): void;
  readonly error: unknown;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
}

export interface ObjectStore {
  getAll(): DatabaseRequest<unknown[]>;
  put(value: unknown): unknown;
}
