// What arrives while one looks: the event stream, the number of unread notifications, and a message for each new one.

import type { StreamEvent, WatchedState } from '@paddock/client'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Notification } from './answers.ts'
import { OutcomesContext, outcomeStore } from './live-outcomes.ts'
import { type LiveStream, openLiveStream } from './live-stream.ts'
import { notificationIcon, notificationLink, notificationText } from './notification-words.ts'
import { useSession } from './session.tsx'
import { useToast } from './toasts.tsx'

type Live = {
  readonly unread: number
  /** Tips of those followed since the feed was loaded. */
  readonly newTips: number
  /** Grows with each event of the customer's money, and when the balance has changed. */
  readonly moneyEvents: number
  /** Grows with each event that concerns the customer's own content, and with each new notification. */
  readonly version: number
  forgetNewTips(): void
  refresh(): Promise<void>
}

const Context = createContext<Live | undefined>(undefined)
const OF_MONEY = /^(deposit|refund|dispute|withdrawal|card)\./

export function LiveProvider({ children }: { children: ReactNode }) {
  const { paddock } = useSession()
  const [newTips, setNewTips] = useState(0)
  const [moneyEvents, setMoneyEvents] = useState(0)
  const [version, setVersion] = useState(0)
  const { unread, refresh, announce } = useNotifications(useCallback(() => setVersion(plusOne), []))
  const stream = useRef<LiveStream | undefined>(undefined)
  const store = useMemo(() => outcomeStore(() => stream.current?.update()), [])

  useEffect(() => {
    let balance: string | undefined
    function onEvent(event: StreamEvent | WatchedState): void {
      if (event.type === 'outcome' || event.type === 'event' || event.type === 'tip') store.record(event)
      else if (event.type === 'account') {
        announce(event.newestUnreadId)
        if (balance !== undefined && balance !== event.balance) setMoneyEvents(plusOne)
        balance = event.balance
      } else if (event.type === 'tip.created') setNewTips(plusOne)
      else if (OF_MONEY.test(event.type)) setMoneyEvents(plusOne)
      else if (event.type === 'reset') {
        setMoneyEvents(plusOne)
        setVersion(plusOne)
      } else if (event.type !== 'ready') setVersion(plusOne)
    }
    const opened = openLiveStream(paddock, { wanted: store.wanted, onEvent, onWatching: store.keepOnly })
    stream.current = opened
    return () => opened.close()
  }, [paddock, store, announce])

  const live = useMemo<Live>(
    () => ({ unread, newTips, moneyEvents, version, forgetNewTips: () => setNewTips(0), refresh }),
    [unread, newTips, moneyEvents, version, refresh],
  )
  return (
    <OutcomesContext value={store}>
      <Context value={live}>{children}</Context>
    </OutcomesContext>
  )
}

const plusOne = (number: number) => number + 1

/** `announce` shows a message for each notification that was not there before; `onArrived` is called for them. */
function useNotifications(onArrived: () => void) {
  const { paddock } = useSession()
  const toast = useToast()
  const [unread, setUnread] = useState(0)
  const newest = useRef<number | undefined>(undefined)
  const announced = useRef<number | null | undefined>(undefined)

  const load = useCallback(async (): Promise<Notification[]> => {
    const { numUnread, notification } = await paddock.getMyNotifications({ blockSize: 5 })
    const before = newest.current
    newest.current = Math.max(before ?? 0, ...notification.map(({ id }) => id))
    setUnread(numUnread)
    return before === undefined ? [] : notification.filter(({ id, isRead }) => id > before && !isRead)
  }, [paddock])

  const refresh = useCallback(async () => {
    await load().catch(() => undefined)
  }, [load])

  /** The stream has reported the newest unread one; null: all are read. */
  const announce = useCallback(
    async (newestUnread: number | null) => {
      // A stream that is opened again repeats it.
      if (announced.current === newestUnread) return
      announced.current = newestUnread
      const arrived = await load().catch(() => [])
      for (const one of arrived.toReversed())
        toast({ icon: notificationIcon(one), text: notificationText(one), href: notificationLink(one) })
      if (arrived.length > 0) onArrived()
    },
    [load, toast, onArrived],
  )
  return { unread, refresh, announce }
}

export function useLive(): Live {
  const live = useContext(Context)
  if (live === undefined) throw new Error('useLive needs a LiveProvider above it')
  return live
}
