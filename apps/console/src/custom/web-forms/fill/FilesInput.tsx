import { useContext, useEffect, useRef, useState } from 'react'
import { CameraOutlined, DeleteOutlined, PaperClipOutlined } from '@ant-design/icons'
import { storedExtensions } from '@outpost/contract/views/file-types'
import type { AnswerFile } from '@outpost/contract/web-forms/form'
import { filesIn, mostFiles } from '@outpost/rules/forms/answer-files'
import { t } from '../../../session/labels.ts'
import type { FileInputProps } from './file-input-props.ts'
import { FormFilesContext } from './form-files.ts'
import { readPaper, readPhoto } from './read-file.ts'

const accept = storedExtensions.map((extension) => `.${extension}`).join(',')

/** Photos from the camera or papers from the device, each to be looked at and taken away again. They are kept at once and sent with the form. */
export function FilesInput({ question, id, value, onChange }: FileInputProps) {
  const kept = useContext(FormFilesContext)
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const files = filesIn(value)
  const isPhoto = question.kind === 'photo'
  const room = mostFiles(question) - files.length
  const take = async (list: FileList | null) => {
    setBusy(true)
    setError(undefined)
    const taken: AnswerFile[] = []
    try {
      for (const one of [...(list ?? [])].slice(0, room)) {
        const { bytes, ...file } = await (isPhoto ? readPhoto(one) : readPaper(one))
        kept.put(file.Id, bytes)
        taken.push(file)
      }
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause))
    } finally {
      setBusy(false)
      if (input.current) input.current.value = ''
      if (taken.length > 0) onChange?.([...files, ...taken])
    }
  }
  const remove = ({ Id }: AnswerFile) => {
    kept.drop(Id)
    onChange?.(files.filter((file) => file.Id !== Id))
  }
  return (
    <>
      <ul className="wf-files">
        {files.map((file) => (
          <li key={file.Id} className="wf-file">
            <Thumb file={file} />
            <span>{file.name}</span>
            <button type="button" aria-label={`${t('Remove')} ${file.name}`} onClick={() => remove(file)}>
              <DeleteOutlined aria-hidden />
            </button>
          </li>
        ))}
        {room > 0 ? (
          <li>
            <label className="wf-add" aria-busy={isBusy}>
              {isPhoto ? <CameraOutlined aria-hidden /> : <PaperClipOutlined aria-hidden />}
              {t(isBusy ? 'One moment' : isPhoto ? 'Take photo' : 'Choose a file')}
              <input
                ref={input}
                id={id}
                type="file"
                disabled={isBusy}
                aria-label={question.label}
                {...(isPhoto ? { accept: 'image/*', capture: 'environment' as const } : { accept, multiple: room > 1 })}
                onChange={(event) => void take(event.target.files)}
              />
            </label>
          </li>
        ) : null}
      </ul>
      {error ? (
        <div className="field-note" role="alert">
          {t(error)}
        </div>
      ) : null}
    </>
  )
}

/** The picture as it is on this device; of a paper its mark. */
export function Thumb({ file }: { file: AnswerFile }) {
  const url = useFileUrl(file)
  return url ? (
    <img src={url} alt={file.name} />
  ) : (
    <span className="wf-file-mark">
      <PaperClipOutlined aria-hidden />
    </span>
  )
}

function useFileUrl({ Id, mimeType }: AnswerFile): string | undefined {
  const kept = useContext(FormFilesContext)
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let [made, isGone]: [string | undefined, boolean] = [undefined, false]
    if (mimeType.startsWith('image/'))
      void kept.bytes(Id).then((bytes) => {
        if (isGone || !bytes) return
        made = URL.createObjectURL(new Blob([bytes], { type: mimeType }))
        setUrl(made)
      })
    return () => {
      isGone = true
      if (made) URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [kept, Id, mimeType])
  return url
}
