// When the focused element is removed (a form that was sent, a row that was revoked), the focus falls back to the body, and
// keyboard and screen reader start at the top of the page again. This keeps the focus where the reader was.

import { useEffect } from 'react'

const FOCUSABLE = 'button, a, input, select, textarea, [tabindex]'

/** Focuses the nearest remaining ancestor of a removed element. */
export function useFocusRecovery(): void {
  useEffect(() => {
    let ancestors: Element[] = []

    function recordAncestors({ target }: FocusEvent): void {
      ancestors = []
      for (let one = target as Element | null; one !== null && one !== document.body; one = one.parentElement) {
        ancestors.push(one)
      }
    }

    function recoverFocus(): void {
      const [last] = ancestors
      if (last === undefined || last.isConnected || document.activeElement !== document.body) return
      const nearest = ancestors.find((one) => one.isConnected && one.id !== 'console' && one.textContent !== '')
      const fallback = nearest ?? document.getElementById('main')
      if (!(fallback instanceof HTMLElement)) return
      if (!fallback.matches(FOCUSABLE)) fallback.tabIndex = -1
      fallback.focus({ preventScroll: true })
    }

    const observer = new MutationObserver(recoverFocus)
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', recordAncestors)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', recordAncestors)
    }
  }, [])
}
