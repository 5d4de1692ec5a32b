/**
 * What the queue uses of a browser. The types are written by hand, as the package compiles without the types of browsers: so
 * it cannot use anything else of a browser by accident.
 */
export interface Platform {
  /** Null in some browsers that forbid IndexedDB. */
  indexedDB?: DatabaseFactory | null;
  navigator?: { locks?: { request<Result>(name: string, work: () => Promise<Result>): Promise<Result> } };
  addEventListener?: (type: "online", listener: () => void) => void;
  removeEventListener?: (type: "online", listener: () => void) => void;
}

/** What the queue uses of `indexedDB`. */
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
