/** As states are shown: "CHARGED_BACK" is "Charged back", "self-excluded" is "Self-excluded". */
export function sentenceCase(text: string): string {
  const words = /^[A-Z_]+$/.test(text) ? text.replaceAll('_', ' ').toLowerCase() : text
  return words.charAt(0).toUpperCase() + words.slice(1)
}
