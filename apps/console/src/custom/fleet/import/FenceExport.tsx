import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { call } from '../../../data/calls.ts'
import { saveFile } from '../../../data/api.ts'
import { t } from '../../../session/labels.ts'
import { ErrorState, LoadingState } from '../../../view/states/index.tsx'
import { toGeoJson, toKml, toTraccarText } from './write-fences.ts'
import '../fleet.css'

const forms = [
  { name: 'GeoJSON', file: 'fences.geojson', type: 'application/geo+json', write: toGeoJson },
  { name: 'KML', file: 'fences.kml', type: 'application/vnd.google-earth.kml+xml', write: toKml },
  { name: 'Traccar', file: 'fences.txt', type: 'text/plain', write: toTraccarText },
]

/** All fences as a file for maps; each of these files can be imported again. */
export function FenceExport() {
  const { data, error, refetch } = useQuery({
    queryKey: ['records', 'fence', 'all'],
    queryFn: async ({ signal }) => (await call('fences.all', { params: { x: 'map' } }, { signal })).data.geofences,
  })
  const holes = (data ?? []).filter(({ area }) => area.type === 'Polygon' && (area.coordinates as unknown[]).length > 1).length
  return (
    <>
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t('Fences as a map file')}</h1>
        </div>
      </header>
      <div className="fleet-box">
        {error ? (
          <ErrorState error={error} what={t('Fences')} onRetry={() => void refetch()} />
        ) : data ? (
          <>
            <p role="status">{t('{{count}} fences', { count: data.length })}</p>
            <p>
              {t('GeoJSON and KML hold everything: holes, radius, speed limit. Traccar’s text has no place for the width of a corridor.')}{' '}
              {holes > 0 ? t('{{count}} fences have holes: older Traccar servers do not read those.', { count: holes }) : null}
            </p>
            <div className="fleet-acts">
              {forms.map(({ name, file, type, write }) => (
                <Button key={name} disabled={data.length === 0} onClick={() => saveFile(new Blob([write(data)], { type }), file)}>
                  {t('Save as {{name}}', { name })}
                </Button>
              ))}
            </div>
          </>
        ) : (
          <LoadingState />
        )}
      </div>
    </>
  )
}
