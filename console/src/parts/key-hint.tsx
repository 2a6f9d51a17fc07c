/** Visible only: screen readers use aria-keyshortcuts, and the letter must not become part of the button's name. */
export function KeyHint({ letter }: { letter: string }) {
  return <span className="key" data-key={letter} />
}
