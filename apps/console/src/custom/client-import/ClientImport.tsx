import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useEffect, useState } from 'react'
import { call } from '../../data/calls.ts'
import { queryClient } from '../../data/query-client.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { ImportStart } from '../../view/import/ImportStart.tsx'
import { ErrorText } from '../../view/states/index.tsx'
import '../../view/import/import.css'
import './client-import.css'
import { isBusy, readRun, type Run, type Sheet } from './run.ts'
import { RunPanel } from './RunPanel.tsx'
import { SheetImport } from './SheetImport.tsx'

const example =
  'First name,Last name,Phone,ID number,E-mail,Date of birth,Type,Employer,Town,Branch,Agent\nAmina,Odhiambo,+254712345678,30111222,amina@example.com,1990-02-28,Civil servant,Ministry of Health,Kisumu,,\n'

const runKey = (id: string) => ['client-import', id]
/** So often a run is asked for while it goes on; milliseconds. */
const pace = 700

/** Clients from a file: what its columns are, what would become of each row, then the import. The run is in the address: it is found again. */
export function ClientImport() {
  const { address, patch } = useAddress()
  const runId = textOf(address['run'])
  const [name, setName] = useState('')
  const read = useMutation({ mutationFn: readSheet })
  const found = useRun(runId)
  const run = runId === undefined ? undefined : found.data
  const labels = new Map((read.data?.fields ?? []).map(({ key, label }) => [key as string, label]))
  const error = read.error ?? found.error
  return (
    <div className="import client-import">
      <ImportStart
        title={t('Import clients')}
        help={t(
          'A CSV or XLSX file with one client a row, 10,000 rows at most. Needed are first name, last name and phone. A branch is given by its name or short code, an agent by name or e-mail; without them clients are yours, in the branch you work in. Rows with an error keep no other row back.',
        )}
        accept=".csv,.xlsx"
        example={{ name: 'clients.csv', text: example }}
        hasFile={name !== ''}
        isRead={read.data !== undefined}
        isBusy={read.isPending}
        onChoose={(file) => {
          setName(file.name)
          patch({ run: undefined })
          read.mutate(file)
        }}
      />
      {error ? <Alert type="error" showIcon role="alert" title={<ErrorText error={error} />} /> : null}
      {read.isPending || (!read.data && !run) ? null : (
        <section className="import-verdicts" aria-labelledby="import-file">
          {read.data ? (
            <SheetImport key={read.submittedAt} name={name} sheet={read.data} run={run} onRun={(id) => patch({ run: id })} />
          ) : (
            <h2 id="import-file">
              {run?.fileName}: {t('{{count}} rows', { count: run?.total ?? 0 })}
            </h2>
          )}
          {run ? <RunPanel run={run} labels={labels} onRun={(next) => queryClient.setQueryData(runKey(next.Id), next)} /> : null}
        </section>
      )}
    </div>
  )
}

/** A run, followed while it goes on; what was imported is asked for anew once it is over. */
function useRun(id: string | undefined) {
  const found = useQuery<Run>({
    queryKey: runKey(id ?? ''),
    queryFn: () => readRun(id ?? ''),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? pace : false),
  })
  const isImported = found.data !== undefined && !found.data.isTrial && found.data.status === 'done'
  useEffect(() => {
    if (isImported) void queryClient.invalidateQueries({ queryKey: ['records'] })
  }, [isImported])
  return found
}

async function readSheet(file: File): Promise<Sheet> {
  const body = new FormData()
  body.append('file', file, file.name)
  return (await call('clients.readImport', { body })).data
}
