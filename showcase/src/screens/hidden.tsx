import { useAction } from '../../../web/action.ts'
import type { Profile } from '../answers.ts'
import { type Grown, useGrowing } from '../grow.ts'
import { GrownList } from '../parts/grown-list.tsx'
import { ProfileRow } from '../parts/profile-row.tsx'
import row from '../parts/row.module.css'
import { Empty, ProblemPanel } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { counted } from '../words.ts'

export default function Hidden() {
  const { paddock } = useSession()
  const mutes = useGrowing('mutes', () => paddock.each.getMyMutes({ blockSize: 50 }))
  const blocks = useGrowing('blocks', () => paddock.each.getMyBlocks({ blockSize: 50 }))
  return (
    <>
      <h1>Muted and blocked</h1>
      <p className="lead">Mute or block somebody from their profile or one of their tips.</p>
      <HiddenList
        title="Muted"
        about="Their tips are not in your feed. They do not notice."
        empty="You have muted nobody"
        undo="Unmute"
        list={mutes}
        act={(id) => paddock.unmuteProfile({ id })}
      />
      <HiddenList
        title="Blocked"
        about="You see nothing of each other."
        empty="You have blocked nobody"
        undo="Unblock"
        list={blocks}
        act={(id) => paddock.unblockProfile({ id })}
      />
    </>
  )
}

type HiddenListProps = {
  title: string
  about: string
  empty: string
  undo: string
  list: Grown<Profile>
  act(id: number): Promise<unknown>
}

function HiddenList({ title, about, empty, undo, list, act }: HiddenListProps) {
  const { run, error, isBusy } = useAction(async (id: number) => {
    await act(id)
    list.replace((items) => items.filter((one) => one.id !== id))
  })
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p className="hint">{about}</p>
      {error !== undefined && <ProblemPanel error={error} />}
      <GrownList label={title} list={list} shape="row" keyOf={(profile) => profile.id} empty={<Empty title={empty} />}>
        {({ isFollowed: _, ...person }) => (
          <div className={row.withAction}>
            <ProfileRow person={person}>{counted(person.numFollowers, 'follower')}</ProfileRow>
            <button type="button" aria-disabled={isBusy} onClick={() => run(person.id)}>
              {undo}
              <span className="hidden-text"> {person.name}</span>
            </button>
          </div>
        )}
      </GrownList>
    </section>
  )
}
