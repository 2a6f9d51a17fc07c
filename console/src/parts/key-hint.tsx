/** For the eye only: screen readers are told by aria-keyshortcuts, and a letter would spoil the button's name. */
export function KeyHint({ letter }: { letter: string }) {
  return <span className="key" data-key={letter} />
}
