import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../../web/action.ts'
import type { OwnProfile } from '../answers.ts'
import { Avatar } from '../parts/avatar.tsx'
import { ProblemPanel } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import styles from './picture-field.module.css'

type PictureFieldProps = {
  profile: OwnProfile
  /** Chosen, and sent with the rest. */
  file: File | undefined
  choose(file: File | undefined): void
  removed(picture: string): void
}

/** A file is shown before it is sent. */
export function PictureField({ profile, file, choose, removed }: PictureFieldProps) {
  const { paddock } = useSession()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (file === undefined && input.current !== null) input.current.value = ''
  }, [file])
  const removal = useAction(async () => removed((await paddock.removeMyPicture()).picture))
  const { url, isReadable, failed } = usePreview(file)
  return (
    <section className={styles.picture} aria-labelledby="picture-title">
      <h2 id="picture-title">Picture</h2>
      {url === undefined || !isReadable ? (
        <Avatar person={profile} size="large" />
      ) : (
        <span className="avatar large">
          <img src={url} alt="Preview" onError={failed} />
        </span>
      )}
      <div className={styles.controls}>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/gif"
          aria-label="Choose a picture: JPG, PNG or GIF, up to 10 MB"
          onChange={(event) => choose(event.target.files?.[0])}
        />
        {file === undefined ? (
          <button type="button" aria-disabled={removal.isBusy} onClick={removal.run}>
            Remove picture
          </button>
        ) : (
          <button type="button" onClick={() => choose(undefined)}>
            Keep the old picture
          </button>
        )}
        <p className="hint">
          {!isReadable
            ? 'No preview: this may not be a picture.'
            : file === undefined
              ? 'JPG, PNG or GIF, up to 10 MB'
              : 'Save sends it.'}
        </p>
      </div>
      {removal.error !== undefined && <ProblemPanel error={removal.error} />}
    </section>
  )
}

function usePreview(file: File | undefined) {
  const [url, setUrl] = useState<string>()
  const [isReadable, setReadable] = useState(true)
  useEffect(() => {
    setReadable(true)
    if (file === undefined) return setUrl(undefined)
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [file])
  return { url, isReadable, failed: () => setReadable(false) }
}
