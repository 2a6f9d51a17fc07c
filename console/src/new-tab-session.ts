// A session belongs to a tab. A tab that was opened from a link of this one (Ctrl-click, middle click, the browser's
// menu) asks for its session over a channel that only pages of this origin hear; the token is never written where it
// would outlive the tab. A page answers only for a link that was just used to open a tab, and once for each.

import { TOKEN_KEY } from './session.tsx'

const CHANNEL = 'paddock-session'
/** Long enough to choose from the browser's menu. */
const LINK_VALID_MS = 30_000
const REPLY_TIMEOUT_MS = 300

type Message = { ask: string; address: string } | { answer: string; token: string }

/** In every tab, from its start. */
export function shareSessionWithNewTabs(): void {
  const channel = new BroadcastChannel(CHANNEL)
  let opened: { address: string; until: number }[] = []

  function noteLink(event: MouseEvent): void {
    const link = (event.target as Element | null)?.closest?.('a')
    const opensTab = event.type !== 'click' || event.ctrlKey || event.metaKey || event.shiftKey
    if (link && opensTab) opened.push({ address: link.href, until: Date.now() + LINK_VALID_MS })
  }
  for (const type of ['click', 'auxclick', 'contextmenu'] as const) addEventListener(type, noteLink, true)

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const token = sessionStorage.getItem(TOKEN_KEY)
    if (!('ask' in data) || token === null) return
    opened = opened.filter(({ until }) => until > Date.now())
    const asked = opened.find(({ address }) => address === data.address)
    if (asked === undefined) return
    opened = opened.filter((one) => one !== asked)
    channel.postMessage({ answer: data.ask, token } satisfies Message)
  })
}

/** Before the first screen. Nobody opened a tab at the bare address: that one is typed. */
export async function requestSessionFromOpener(): Promise<void> {
  if (sessionStorage.getItem(TOKEN_KEY) !== null || location.hash === '') return
  const channel = new BroadcastChannel(CHANNEL)
  const ask = Array.from(crypto.getRandomValues(new Uint32Array(4))).join('-')
  const token = await new Promise<string | null>((resolve) => {
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if ('answer' in data && data.answer === ask) resolve(data.token)
    })
    channel.postMessage({ ask, address: location.href } satisfies Message)
    setTimeout(() => resolve(null), REPLY_TIMEOUT_MS)
  })
  channel.close()
  if (token !== null) sessionStorage.setItem(TOKEN_KEY, token)
}
