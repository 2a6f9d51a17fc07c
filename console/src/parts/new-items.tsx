import { useEffect, useEffectEvent, useState } from 'react'
import { MAX_NEWEST } from '../api/api.ts'

type NewItemsProps = {
  /** When the newest items of the queue came, as the server reports them; undefined until it has. */
  newest: readonly string[] | undefined
  /** When the shown items came. */
  shown: readonly (string | null)[]
  loading: boolean
  onLoad: () => void
}

/** What came into the queue since it was loaded. Loaded only on request, so that nothing moves while somebody reads. */
export function NewItems({ newest, shown, loading, onLoad }: NewItemsProps) {
  const [known, setKnown] = useState<string>()
  const latest = newest?.[0] ?? ''

  // The items that wait when the list arrives, or when the server first reports them, are not new.
  const isReported = newest !== undefined
  const knowLatest = useEffectEvent(() => setKnown(latest))
  useEffect(() => {
    if (isReported && !loading) knowLatest()
  }, [isReported, loading])

  const isNew = (time: string) => known !== undefined && time > known && !shown.includes(time)
  const count = newest?.filter(isNew).length ?? 0
  return (
    <span role="status">
      {count > 0 && (
        <button type="button" className="primary" onClick={onLoad}>
          {count}
          {count >= MAX_NEWEST && '+'} new
        </button>
      )}
    </span>
  )
}
