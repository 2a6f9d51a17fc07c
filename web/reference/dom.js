export const root = document.documentElement
export const all = (selector, within = document) => [...within.querySelectorAll(selector)]
export const byId = (id) => document.getElementById(id)

// A browser may refuse to store settings: they then last until the page is left.

/** null: nothing is stored. */
export function readSetting(storage, key) {
  try {
    return window[storage].getItem(`paddock.${key}`)
  } catch {
    return null
  }
}

export function saveSetting(storage, key, value) {
  try {
    window[storage].setItem(`paddock.${key}`, value)
  } catch {}
}
