/** A field to search with. */
import { Icon } from "./icon.tsx";

interface Props {
  /** What is searched, for screen readers. */
  label: string;
  placeholder: string;
  value: string;
  onText: (text: string) => void;
}

export function Search({ label, placeholder, value, onText }: Props) {
  return (
    <label class="search">
      <Icon name="search" />
      <span class="visually-hidden">{label}</span>
      <input
        type="search"
        class="input"
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    </label>
  );
}
