import { linkTo } from '../../../web/route.ts'
import { useGrowing } from '../grow.ts'
import { GrownList } from '../parts/grown-list.tsx'
import { ProfileRow } from '../parts/profile-row.tsx'
import { Empty } from '../parts/states.tsx'
import { TipList } from '../parts/tip-list.tsx'
import { useSession } from '../session.tsx'
import { counted } from '../words.ts'

export function SearchResults({ query: q }: { query: string }) {
  const { paddock } = useSession()
  const profiles = useGrowing(`profiles ${q}`, () => paddock.each.searchProfiles({ q, blockSize: 20 }), 5)
  const tips = useGrowing(`tips ${q}`, () => paddock.each.searchComments({ q, details: true }), 10)
  return (
    <>
      <a href={linkTo('discover')}>All boards</a>
      <section aria-labelledby="found-profiles">
        <h2 id="found-profiles">Tipsters</h2>
        <GrownList
          label="Tipsters found"
          list={profiles}
          shape="row"
          keyOf={({ id }) => id}
          empty={<Empty title={`No tipster named “${q}”`} />}
        >
          {(profile) => <ProfileRow person={profile}>{counted(profile.numFollowers, 'follower')}</ProfileRow>}
        </GrownList>
      </section>
      <section aria-labelledby="found-tips">
        <h2 id="found-tips">Tips</h2>
        <TipList label="Tips found" list={tips} empty={<Empty title={`No tip mentions “${q}”`} />} />
      </section>
    </>
  )
}
