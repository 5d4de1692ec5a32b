/** Passes a value on if it differs from the value before. Equal values must have their fields in the same order. */
export function tellChanges<Value>(tell: (value: Value) => void): (value: Value) => void {
  let told: string | undefined;
  return (value) => {
    const text = JSON.stringify(value);
    if (text === told) return;
    told = text;
    tell(value);
  };
}
