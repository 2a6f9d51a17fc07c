import { useState } from 'react'
import { useAction } from '../../../web/action.ts'
import { Icon } from '../../../web/icons.tsx'
import { useLoad } from '../../../web/load.ts'
import { linkTo, openRoute } from '../../../web/route.ts'
import { useSession } from '../session.tsx'
import { useToast } from '../toasts.tsx'
import { Dialog } from './dialog.tsx'
import styles from './person-menu.module.css'
import { LoadView, ProblemPanel, Skeletons } from './states.tsx'

type Somebody = { readonly id: number; readonly name: string }

/** Mute and block, wherever somebody else is shown. */
export function PersonMenu({ person }: { person: Somebody }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="bare" aria-label={`Mute or block ${person.name}`} onClick={() => setOpen(true)}>
        <Icon name="dots" />
      </button>
      {isOpen && <HideDialog person={person} close={() => setOpen(false)} />}
    </>
  )
}

function HideDialog({ person, close }: { person: Somebody; close(): void }) {
  const { paddock } = useSession()
  const muted = useLoad(`muted ${person.id}`, async () => {
    for await (const { id } of paddock.each.getMyMutes({ blockSize: 100 })) if (id === person.id) return true
    return false
  })
  return (
    <Dialog title={person.name} close={close}>
      <LoadView loaded={muted} skeleton={<Skeletons shape="row" count={2} />}>
        {(isMuted) => <Choices person={person} isMuted={isMuted} close={close} />}
      </LoadView>
    </Dialog>
  )
}

function Choices({ person: { id, name }, isMuted, close }: { person: Somebody; isMuted: boolean; close(): void }) {
  const { paddock } = useSession()
  const toast = useToast()
  const mute = useAction(async () => {
    await (isMuted ? paddock.unmuteProfile({ id }) : paddock.muteProfile({ id }))
    toast({ icon: 'mute', text: isMuted ? `${name} is no longer muted` : `${name} is muted`, href: linkTo('hidden') })
    close()
  })
  const block = useAction(async () => {
    await paddock.blockProfile({ id })
    toast({ icon: 'block', text: `${name} is blocked`, href: linkTo('hidden') })
    close()
    openRoute('')
  })
  const error = mute.error ?? block.error
  return (
    <div className={styles.choices}>
      <button type="button" aria-disabled={mute.isBusy} onClick={mute.run}>
        <Icon name="mute" />
        {isMuted ? 'Unmute' : 'Mute'}
      </button>
      <p className="hint">
        {isMuted
          ? 'Their tips come back to your feed.'
          : 'Their tips leave your feed, and you hear nothing of what they do. They do not notice.'}
      </p>
      <button type="button" aria-disabled={block.isBusy} onClick={block.run}>
        <Icon name="block" />
        Block
      </button>
      <p className="hint">Neither of you sees the other any more. Follows between you end, and do not come back.</p>
      {error !== undefined && <ProblemPanel error={error} />}
    </div>
  )
}
