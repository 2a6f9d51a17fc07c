import { ScreenHeader } from '../parts/basics.tsx'
import { Finder } from '../parts/finder.tsx'

export function FindScreen() {
  return (
    <>
      <ScreenHeader title="Find" />
      <p className="lead">Open anything by its id. Names change; ids, which the API and the audit trail use, do not.</p>
      <div className="panel">
        <Finder />
      </div>
    </>
  )
}
