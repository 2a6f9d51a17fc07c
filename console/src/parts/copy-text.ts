/** Without HTTPS a browser may have no clipboard: `select` then selects the text, to be copied by hand. Whether it is copied. */
export async function copyText(text: string, select: () => void): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    select()
    return false
  }
}
