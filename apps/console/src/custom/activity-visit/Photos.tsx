import { useEffect, useRef, useState } from 'react'
import { CameraOutlined, DeleteOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { keys } from '../../data/keys.ts'
import type { Row } from '../../data/records.ts'
import { toast } from '../../feedback/toast.ts'
import { currentOffline } from '../../offline/current.ts'
import { useSyncStatus } from '../../offline/sync/status.ts'
import type { WaitingFile } from '../../offline/sync/files.ts'
import { t } from '../../session/labels.ts'
import { visitPhoto } from './photo.ts'
import { addPhotos } from './visits.ts'

const states: Record<WaitingFile['state'], string> = {
  ready: 'waits to be sent',
  waits: 'goes after the visit',
  held: 'held: the visit was refused',
  refused: 'refused',
}

/** Photos of the visit: taken with the camera, kept on the device, gone from here once the office has them. */
export function Photos({ activity }: { activity: Row & { Id: string } }) {
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const waiting = useQuery({
    queryKey: [...keys.records('file'), activity.Id],
    networkMode: 'always',
    queryFn: async () => ((await currentOffline()?.store.files.list()) ?? []).filter((file) => file.ownerId === activity.Id),
  })
  const atOffice = Array.isArray(activity.files) ? activity.files.length : 0
  const take = async (files: FileList | null) => {
    setBusy(true)
    try {
      for (const file of files ?? []) await addPhotos([await visitPhoto(file, activity.Id)])
      await waiting.refetch()
    } catch (error) {
      toast.danger({ title: error instanceof Error ? error.message : t('The photo could not be kept.') })
    } finally {
      setBusy(false)
      if (input.current) input.current.value = ''
    }
  }
  return (
    <section className="av-card" aria-label={t('Photos')}>
      <div className="av-row">
        <h2>{t('Photos')}</h2>
        <span className="av-soft" role="status">
          {atOffice} {t('at the office')}
          {waiting.data?.length ? `, ${waiting.data.length} ${t('on this device')}` : ''}
        </span>
      </div>
      <ul className="av-photos">
        {waiting.data?.map((file) => (
          <Thumb key={file.id} file={file} />
        ))}
        <li>
          <label className="av-add" aria-busy={isBusy}>
            <CameraOutlined aria-hidden /> {t(isBusy ? 'One moment' : 'Take photo')}
            <input
              ref={input}
              type="file"
              accept="image/*"
              capture="environment"
              disabled={isBusy}
              onChange={(event) => void take(event.target.files)}
            />
          </label>
        </li>
      </ul>
    </section>
  )
}

function Thumb({ file }: { file: WaitingFile }) {
  const [url, setUrl] = useState<string>()
  const { sending } = useSyncStatus()
  useEffect(() => {
    let made: string | undefined
    void currentOffline()
      ?.store.files.bytes(file.id)
      .then((bytes) => {
        made = bytes && URL.createObjectURL(new Blob([bytes], { type: file.mime }))
        setUrl(made)
      })
    return () => {
      if (made) URL.revokeObjectURL(made)
    }
  }, [file.id, file.mime])
  return (
    <li className="av-thumb" data-state={file.state}>
      {url ? <img src={url} alt={file.name} /> : <span className="av-thumb-empty" />}
      <span>
        {sending?.id === file.id
          ? t('{{share}} % sent', { share: Math.floor((sending.sent / sending.size) * 100) })
          : (file.refusal ?? t(states[file.state]))}
      </span>
      <button type="button" aria-label={`${t('Remove')} ${file.name}`} onClick={() => void currentOffline()?.store.files.drop(file.id)}>
        <DeleteOutlined aria-hidden />
      </button>
    </li>
  )
}
