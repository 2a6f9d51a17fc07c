import { useId, useState } from 'react'
import { useAction } from '../../../web/action.ts'
import { useLoad } from '../../../web/load.ts'
import { linkTo, openRoute } from '../../../web/route.ts'
import type { OwnProfile } from '../answers.ts'
import { Form } from '../parts/form.tsx'
import { LoadView, Skeletons } from '../parts/states.tsx'
import { RefusedText } from '../parts/suggestion.tsx'
import { useSession } from '../session.tsx'
import { useToast } from '../toasts.tsx'
import { PictureField } from './picture-field.tsx'

export default function EditProfile() {
  const { paddock } = useSession()
  const profile = useLoad('me', () => paddock.getMyProfile({}))
  return (
    <>
      <h1>Edit your profile</h1>
      <LoadView loaded={profile} skeleton={<Skeletons shape="block" count={1} />}>
        {(own) => (
          <>
            <PictureField profile={own} changed={(picture) => profile.show({ ...own, picture })} />
            <TextForm profile={own} />
          </>
        )}
      </LoadView>
    </>
  )
}

function TextForm({ profile }: { profile: OwnProfile }) {
  const { paddock } = useSession()
  const toast = useToast()
  const id = useId()
  const [name, setName] = useState(profile.name)
  const [biography, setBiography] = useState(profile.biography)
  const { run, error, isBusy, forget } = useAction(async () => {
    await paddock.updateMyProfile({ name, biography })
    toast({ icon: 'check', text: 'Your profile is saved' })
    openRoute('me')
  })
  return (
    <Form run={run}>
      <div className="field">
        <label htmlFor={`${id}-name`}>Name</label>
        <input
          id={`${id}-name`}
          required
          maxLength={30}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-bio`}>Biography</label>
        <textarea
          id={`${id}-bio`}
          rows={3}
          maxLength={140}
          value={biography}
          onChange={(event) => setBiography(event.target.value)}
        />
      </div>
      <RefusedText
        error={error}
        take={(text, field) => {
          if (field === 'name') setName(text)
          else setBiography(text)
          forget()
        }}
      />
      <div className="buttons">
        <button type="submit" className="primary" aria-disabled={isBusy}>
          Save
        </button>
        <a className="button" href={linkTo('me')}>
          Cancel
        </a>
      </div>
    </Form>
  )
}
