import { ScreenHeader } from '../parts/basics.tsx'
import { Finder } from '../parts/finder.tsx'

export function FindScreen() {
  return (
    <>
      <ScreenHeader title="Find" />
      <p className="lead">Open a profile, comment, customer or deposit by its ID.</p>
      <div className="panel">
        <Finder />
      </div>
    </>
  )
}
