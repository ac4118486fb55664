import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { call, type CallData } from '../../../data/calls.ts'
import { t } from '../../../session/labels.ts'
import { formatCompanyDateTime } from '../../../view/formats.ts'
import { errorText } from '../error-text.ts'
import { Asked, Nothing, useDays } from './parts.tsx'

type Crash = CallData<'assets.crashes'>['crashEvents'][number]
const tones = { NEW: 'warn', APPROVED: 'bad', REJECTED: 'quiet' }

/** Crashes of an asset in the last thirty days: what a tracker reported, or its speed suggested, and what people made of it. */
export function CrashTab({ id }: { id: string }) {
  const { from, to } = useDays(30)
  const [status, setStatus] = useState<'all' | Crash['status']>('all')
  const query = useQuery({
    queryKey: ['records', 'crash', id, status, from, to],
    queryFn: async ({ signal }) =>
      (await call('assets.crashes', { params: { a: id, b: status }, query: { startDate: from, endDate: to } }, { signal })).data
        .crashEvents,
  })
  return (
    <>
      <Segmented
        size="small"
        aria-label={t('Show')}
        value={status}
        onChange={setStatus}
        options={[
          { value: 'all', label: t('All') },
          { value: 'NEW', label: t('New') },
          { value: 'APPROVED', label: t('Approved') },
          { value: 'REJECTED', label: t('Rejected') },
        ]}
      />
      <Asked query={query} what={t('The crashes')}>
        {(crashes) =>
          crashes.length === 0 ? (
            <Nothing text={t('No crash in the last thirty days.')} />
          ) : (
            <ol className="fleet-rows">
              {crashes.map((crash) => (
                <Row key={`${crash.deviceId} ${crash.time}`} crash={crash} />
              ))}
            </ol>
          )
        }
      </Asked>
    </>
  )
}

function Row({ crash }: { crash: Crash }) {
  const client = useQueryClient()
  const [note, setNote] = useState(crash.note ?? '')
  const review = useMutation({
    mutationFn: (status: Crash['status']) =>
      call('geo.crashes.review', {
        params: { deviceId: crash.deviceId, time: String(Date.parse(crash.time)) },
        body: { status, note: note.trim() === '' ? null : note.trim() },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['records', 'crash'] }),
  })
  return (
    <li data-tone={tones[crash.status]} className="fleet-crash">
      <span>
        <strong>{formatCompanyDateTime(crash.time)}</strong> · {t(crash.status)}
        {crash.confidence === 'low' ? ` · ${t('guessed from the speed')}` : ''}
        {crash.place ? ` · ${crash.place}` : ''}
        {crash.speedDrop === null ? '' : ` · ${t('fell by')} ${Math.round(crash.speedDrop)} km/h`}
        {crash.g === null ? '' : ` · ${crash.g} g`}
        {crash.reviewedByName ? ` · ${crash.reviewedByName}` : ''}
      </span>
      <Input.TextArea
        aria-label={t('Note')}
        placeholder={t('Note')}
        autoSize
        maxLength={2_000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className="fleet-acts">
        <Button size="small" danger loading={review.isPending} onClick={() => review.mutate('APPROVED')}>
          {t('It was a crash')}
        </Button>
        <Button size="small" onClick={() => review.mutate('REJECTED')}>
          {t('It was none')}
        </Button>
      </div>
      {review.error ? <Alert type="error" showIcon title={errorText(review.error)} /> : null}
    </li>
  )
}
