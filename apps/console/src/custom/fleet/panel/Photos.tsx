import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call, pathOf } from '../../../data/calls.ts'
import { t } from '../../../session/labels.ts'
import { StoredImage } from '../../../view/fields/parts/stored-image.tsx'

const mostShown = 6

/** The newest pictures among the files of an asset; each leads to the record, where all files are. */
export function Photos({ id, name }: { id: string; name: string }) {
  const { data: files = [] } = useQuery({
    queryKey: ['records', 'asset', 'files', id],
    queryFn: async ({ signal }) => (await call('assets.files', { params: { id } }, { signal })).data.files,
  })
  const photos = files.filter(({ mimeType }) => mimeType.startsWith('image/')).slice(0, mostShown)
  return photos.length === 0 ? null : (
    <ul className="fleet-photos" aria-label={t('Photos')}>
      {photos.map((photo) => (
        <li key={photo.Id}>
          <Link to={`/tracking/assets/${id}/view`} title={photo.name}>
            <StoredImage path={pathOf('assets.download', { recordId: id, id: photo.Id })} alt={`${name}: ${photo.name}`} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
