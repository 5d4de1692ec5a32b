/**
 * Firestore's classes of values besides times ({@link isTimestamp}) and bytes. What a value offers tells its class: an
 * event or the web SDK has them from another library.
 */

/** Whether a value is a map, and no instance of a class such as a timestamp. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Whether a value that is no map is a reference to a document. */
export function isReference(value: object): value is { path: string } {
  return "path" in value && "firestore" in value;
}

/** Whether a value that is no map is a place on earth. */
export function isPlace(value: object): value is { latitude: number; longitude: number } {
  return "latitude" in value && "longitude" in value;
}

/** Whether a value that is no map is a vector. */
export function isVector(value: object): value is { toArray(): number[] } {
  return "toArray" in value;
}
