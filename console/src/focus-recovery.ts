// The focus stays where the reader is. What had it may go (a form after it was sent, a row that was revoked): it then
// falls to the body, and the keyboard and screen readers begin at the top of the page again.

import { useEffect } from 'react'

const FOCUSABLE = 'button, a, input, select, textarea, [tabindex]'

/** Hands the focus to the nearest part of the page around what is gone. */
export function useFocusRecovery(): void {
  useEffect(() => {
    let around: Element[] = []

    function note({ target }: FocusEvent): void {
      around = []
      for (let one = target as Element | null; one !== null && one !== document.body; one = one.parentElement) {
        around.push(one)
      }
    }

    function giveBack(): void {
      const [last] = around
      if (last === undefined || last.isConnected || document.activeElement !== document.body) return
      const nearest = around.find((one) => one.isConnected && one.id !== 'console' && one.textContent !== '')
      const fallback = nearest ?? document.getElementById('main')
      if (!(fallback instanceof HTMLElement)) return
      if (!fallback.matches(FOCUSABLE)) fallback.tabIndex = -1
      fallback.focus({ preventScroll: true })
    }

    const observer = new MutationObserver(giveBack)
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', note)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', note)
    }
  }, [])
}
