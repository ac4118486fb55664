import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { keys } from '../../data/keys.ts'
import { currentOffline } from '../../offline/current.ts'
import type { WaitingFile } from '../../offline/sync/files.ts'
import { useSyncStatus } from '../../offline/sync/status.ts'
import { t } from '../../session/labels.ts'
import { formatDateTime } from '../../view/formats.ts'

/** Photos that the server would not have, each with why, to be tried again or given up. */
export function RefusedPhotos() {
  // A file is held as soon as its record is refused, which is no change of the file.
  const { attention } = useSyncStatus()
  const files = useQuery({
    queryKey: [...keys.records('file'), 'refused', attention],
    networkMode: 'always',
    queryFn: async () =>
      ((await currentOffline()?.store.files.list()) ?? []).filter(({ state }) => state === 'refused' || state === 'held'),
  })
  if (!files.data?.length) return null
  return (
    <ul className="na-list" aria-label={t('Photos')}>
      {files.data.map((file) => (
        <li key={file.id}>
          <Photo file={file} />
        </li>
      ))}
    </ul>
  )
}

const ofVisit = {
  held: 'Held with the visit it belongs to',
  refused: 'The photo was refused',
  advice: 'Decide about the visit first; the photo goes with it.',
}
const ofRecord = {
  held: 'Held with the form it belongs to',
  refused: 'The file was refused',
  advice: 'Decide about the form first; the file goes with it.',
}

function Photo({ file }: { file: WaitingFile }) {
  const store = currentOffline()?.store
  const words = file.ownerType === 'activity' ? ofVisit : ofRecord
  const again = async () => {
    await store?.files.retry(file.id)
    await currentOffline()?.loop.trigger('asked')
  }
  return (
    <article className="na-card">
      <div className="na-card-head">
        <h2>
          {t(file.mime.startsWith('image/') ? 'Photo' : 'File')}: {file.name}
        </h2>
        <time dateTime={file.at}>{formatDateTime(file.at)}</time>
      </div>
      <p className="na-why" data-tone="hard">
        <strong>{t(file.state === 'held' ? words.held : words.refused)}</strong> {file.refusal ? t(file.refusal) : t(words.advice)}
      </p>
      {file.state === 'refused' ? (
        <div className="na-buttons">
          <Button onClick={() => void again()}>{t('Try again')}</Button>
          <Button danger onClick={() => void store?.files.drop(file.id)}>
            {t('Discard')}
          </Button>
        </div>
      ) : null}
    </article>
  )
}
