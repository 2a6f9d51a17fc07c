import { useEffect } from 'react'

/** The title of the browser's tab; undefined: something else sets it. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Paddock`
  }, [title])
}
