/** Passes on only those values that differ from the last one; of two equal ones, fields have one order. */
export function tellChanges<Value>(tell: (value: Value) => void): (value: Value) => void {
  let told: string | undefined;
  return (value) => {
    const text = JSON.stringify(value);
    if (text === told) return;
    told = text;
    tell(value);
  };
}
