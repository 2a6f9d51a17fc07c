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
import { counted } from '../words.ts'
import { PictureField } from './picture-field.tsx'

const MAX_NAME_LENGTH = 30
const MAX_BIOGRAPHY_LENGTH = 140

export default function EditProfile() {
  const { paddock } = useSession()
  const profile = useLoad('me', () => paddock.getMyProfile({}))
  return (
    <>
      <h1>Edit your profile</h1>
      <LoadView loaded={profile} skeleton={<Skeletons shape="block" count={1} />}>
        {(own) => <ProfileForm profile={own} pictureChanged={(picture) => profile.show({ ...own, picture })} />}
      </LoadView>
    </>
  )
}

type ProfileFormProps = { profile: OwnProfile; pictureChanged(picture: string): void }

/** One button saves all of it. The picture goes first: it stays if a text is refused. */
function ProfileForm({ profile, pictureChanged }: ProfileFormProps) {
  const { paddock, showProfile } = useSession()
  const toast = useToast()
  const [file, setFile] = useState<File>()
  const [name, setName] = useState(profile.name)
  const [biography, setBiography] = useState(profile.biography)
  function showPicture(picture: string): void {
    setFile(undefined)
    pictureChanged(picture)
    showProfile({ name: profile.name, picture })
  }
  const { run, error, isBusy, forget } = useAction(async () => {
    if (file !== undefined) showPicture((await paddock.setMyPicture({ picture: file })).picture)
    showProfile(await paddock.updateMyProfile({ name, biography }))
    toast({ icon: 'check', text: 'Your profile is saved' })
    openRoute('me')
  })
  const isTooLong = lengthOf(name) > MAX_NAME_LENGTH || lengthOf(biography) > MAX_BIOGRAPHY_LENGTH
  return (
    <Form run={() => !isTooLong && run()}>
      <PictureField profile={profile} file={file} choose={setFile} removed={showPicture} />
      <Field label="Name" text={name} most={MAX_NAME_LENGTH} change={setName} />
      <Field label="Biography" text={biography} most={MAX_BIOGRAPHY_LENGTH} rows={3} change={setBiography} />
      {isBusy && file !== undefined && <progress aria-label="Uploading the picture" />}
      <RefusedText
        error={error}
        take={(text, field) => {
          if (field === 'name') setName(text)
          else setBiography(text)
          forget()
        }}
      />
      <div className="buttons">
        <button type="submit" className="primary" aria-disabled={isBusy || isTooLong}>
          Save
        </button>
        <a className="button" href={linkTo('me')}>
          Cancel
        </a>
      </div>
    </Form>
  )
}

/** As the service counts: without blanks around it, and an emoji is one. */
const lengthOf = (text: string) => [...text.trim().normalize('NFC')].length

type FieldProps = { label: string; text: string; most: number; rows?: number; change(text: string): void }

/** Takes more than fits, with a warning: nothing is cut while somebody types or pastes. */
function Field({ label, text, most, rows, change }: FieldProps) {
  const id = useId()
  const left = most - lengthOf(text)
  const attributes = { id, 'aria-describedby': `${id}-left`, 'aria-invalid': left < 0, value: text }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? (
        <input {...attributes} required onChange={(event) => change(event.target.value)} />
      ) : (
        <textarea {...attributes} rows={rows} onChange={(event) => change(event.target.value)} />
      )}
      <p id={`${id}-left`} className={left < 0 ? 'hint bad' : 'hint'} role={left < 0 ? 'alert' : undefined}>
        {left < 0 ? `${counted(-left, 'character')} too many` : `${counted(left, 'character')} left`}
      </p>
    </div>
  )
}
