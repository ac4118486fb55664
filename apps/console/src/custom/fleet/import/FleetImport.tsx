import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Upload } from 'antd'
import { useState } from 'react'
import type { CallData } from '@outpost/client/client'
import { call } from '../../../data/calls.ts'
import { queryClient } from '../../../data/query-client.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { explainFailure } from '../../../view/actions/call.ts'
import type { CustomProps } from '../../index.ts'
import { readDevices, type ImportRow } from './read-devices.ts'
import { readFences } from './read-fences.ts'
import '../fleet.css'

type Outcome = CallData<'geo.devices.import'>
type Of = 'device' | 'fence'

const kinds = {
  device: {
    title: 'Import devices',
    help: 'A CSV file with headings, 500 rows at most. Needed are Name and IMEI; known are also Type, Category, Make, Model, Phone and Contact. They are filed under the branch you work in.',
    accept: '.csv,.txt',
    list: '/tracking/devices',
    example: 'Name,IMEI,Make,Model,Phone\nKDA 001A,356307042441013,Teltonika,FMB920,+254712345678\n',
    exampleName: 'devices.csv',
  },
  fence: {
    title: 'Import fences',
    help: 'GeoJSON, KML, or Traccar’s text with a fence a line; 500 at most. Points become points of interest, areas fences, lines corridors of 100 m to each side unless the file says another radius.',
    accept: '.geojson,.json,.kml,.txt',
    list: '/tracking/fences',
    example: 'Yard; CIRCLE (-1.4563 36.9783, 200)\nTown; POLYGON ((-1.27 36.80, -1.27 36.84, -1.31 36.84, -1.27 36.80))\n',
    exampleName: 'fences.txt',
  },
} as const satisfies Record<Of, object>

const read = async (of: Of, file: File): Promise<ImportRow[]> => {
  const text = await file.text()
  return of === 'device' ? readDevices(text) : readFences(file.name, text)
}
const send = async (of: Of, rows: readonly ImportRow[], dryRun: boolean): Promise<Outcome> => {
  const body = { dryRun, rows: rows.map(({ values }) => values) }
  return (of === 'device' ? await call('geo.devices.import', { body }) : await call('geo.geofences.import', { body })).data
}

/** Devices or fences from a file: what would become of each row first, then all of them or none. */
export function FleetImport({ view }: CustomProps) {
  const of: Of = view.data.of === 'fence' ? 'fence' : 'device'
  const { title, help, accept, list, example, exampleName } = kinds[of]
  const navigate = useNavigate()
  const [name, setName] = useState<string>()
  const trial = useMutation({
    mutationFn: async (file: File) => {
      const rows = await read(of, file)
      return { rows, outcome: await send(of, rows, true) }
    },
  })
  const commit = useMutation({
    mutationFn: (rows: readonly ImportRow[]) => send(of, rows, false),
    onSuccess: async (outcome) => {
      // Somebody may have taken an identifier since the trial.
      if (outcome.refused > 0) return
      await queryClient.invalidateQueries({ queryKey: ['records'] })
      toast.success({ title: t('{{count}} rows imported', { count: outcome.made }) })
      await navigate({ to: list })
    },
  })
  const choose = (file: File): void => {
    setName(file.name)
    commit.reset()
    trial.mutate(file)
  }
  const failure = commit.error ?? trial.error
  return (
    <div className="fleet-import">
      <h1 tabIndex={-1}>{t(title)}</h1>
      <p>{t(help)}</p>
      <div className="fleet-acts">
        <Upload accept={accept} showUploadList={false} beforeUpload={(file) => (choose(file), false)}>
          <Button type={trial.data ? 'default' : 'primary'} loading={trial.isPending}>
            {t(name === undefined ? 'Choose a file' : 'Choose another file')}
          </Button>
        </Upload>
        <a href={`data:text/plain;charset=utf-8,${encodeURIComponent(example)}`} download={exampleName}>
          {t('An example to fill in')}
        </a>
      </div>
      {failure ? <Alert type="error" showIcon role="alert" title={explainFailure(failure).message} /> : null}
      {trial.data && !trial.isPending ? (
        <Judgement
          name={name ?? ''}
          rows={trial.data.rows}
          outcome={commit.data ?? trial.data.outcome}
          isBusy={commit.isPending}
          onCommit={() => commit.mutate(trial.data.rows)}
        />
      ) : null}
    </div>
  )
}

interface JudgementProps {
  name: string
  rows: readonly ImportRow[]
  outcome: Outcome
  isBusy: boolean
  onCommit: () => void
}

function Judgement({ name, rows, outcome: { made, refused, rows: judged }, isBusy, onCommit }: JudgementProps) {
  // What has to be put right comes first.
  const shown = judged.toSorted((one, other) => Number(one.problems.length === 0) - Number(other.problems.length === 0))
  return (
    <section className="fleet-box" aria-labelledby="fleet-verdict">
      <div className="fleet-acts">
        <h2 id="fleet-verdict" role="status">
          {name}:{' '}
          {refused === 0
            ? t('{{count}} rows can be imported', { count: made })
            : t('{{count}} rows have to be put right first', { count: refused })}
        </h2>
        <Button type="primary" disabled={refused > 0} loading={isBusy} onClick={onCommit}>
          {t('Import {{count}} rows', { count: made })}
        </Button>
      </div>
      <div className="panel-table" role="region" aria-label={t('Rows')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Row')}</th>
              <th scope="col">{t('Name')}</th>
              <th scope="col">{t('Verdict')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ row, name: called, problems }) => (
              <tr key={row}>
                <td>{rows[row - 1]?.at ?? row}</td>
                <td>{called}</td>
                <td>
                  <strong>{problems.length === 0 ? t('Is made') : t('Refused')}</strong>
                  {problems.map(({ field, message }) => (
                    <div key={`${field} ${message}`}>{`${field}: ${t(message)}`}</div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
