import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../../web/action.ts'
import type { OwnProfile } from '../answers.ts'
import { Avatar } from '../parts/avatar.tsx'
import { ProblemPanel } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import styles from './picture-field.module.css'

type PictureFieldProps = { profile: OwnProfile; changed(picture: string): void }

/** A file is shown before it is sent. */
export function PictureField({ profile, changed }: PictureFieldProps) {
  const { paddock } = useSession()
  const [file, setFile] = useState<File>()
  const input = useRef<HTMLInputElement>(null)
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    if (chosen === undefined && input.current !== null) input.current.value = ''
  }
  const upload = useAction(async () => {
    if (file === undefined) return
    changed((await paddock.setMyPicture({ picture: file })).picture)
    choose(undefined)
  })
  const removal = useAction(async () => changed((await paddock.removeMyPicture()).picture))
  const error = upload.error ?? removal.error
  return (
    <section className={styles.picture} aria-labelledby="picture-title">
      <h2 id="picture-title">Picture</h2>
      {file === undefined ? <Avatar person={profile} size="large" /> : <Preview file={file} />}
      <div className={styles.controls}>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/gif"
          aria-label="Choose a picture: JPG, PNG or GIF, up to 10 MB"
          onChange={(event) => choose(event.target.files?.[0])}
        />
        <div className="buttons">
          {file !== undefined && (
            <button type="button" className="primary" aria-disabled={upload.isBusy} onClick={upload.run}>
              Upload picture
            </button>
          )}
          <button type="button" aria-disabled={removal.isBusy} onClick={removal.run}>
            Remove picture
          </button>
        </div>
        {upload.isBusy && <progress aria-label="Uploading the picture" />}
      </div>
      {error !== undefined && <ProblemPanel error={error} />}
    </section>
  )
}

function Preview({ file }: { file: File }) {
  const [url, setUrl] = useState<string>()
  const [isReadable, setReadable] = useState(true)
  useEffect(() => {
    const created = URL.createObjectURL(file)
    setUrl(created)
    setReadable(true)
    return () => URL.revokeObjectURL(created)
  }, [file])
  if (!isReadable) return <p className="hint">No preview: this may not be a picture.</p>
  return (
    <span className="avatar large">
      {url !== undefined && <img src={url} alt="Preview" onError={() => setReadable(false)} />}
    </span>
  )
}
