/**
 * The name that a function is deployed under.
 * @param name as in the docs, such as `getRank`
 * @param prefix what was put in front of all names: the `prefix` of Firerank's codebase in firebase.json,
 *   `kit-<instance>` of a function kit, or the name of a group. Undefined or empty for none.
 */
export function functionName(name: string, prefix?: string): string {
  return prefix ? `${prefix}-${name}` : name;
}
