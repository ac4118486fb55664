import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Pagination, Select } from 'antd'
import { call, type CallData } from '../../../data/calls.ts'
import { useLayout } from '../../../data/queries.ts'
import { t } from '../../../session/labels.ts'
import { textOf, useAddress } from '../../../view/address.ts'
import { formatCompanyDateTime } from '../../../view/formats.ts'
import { EmptyState, ErrorState, LoadingState } from '../../../view/states/index.tsx'
import { Outdated, soonAfterFailure } from '../Outdated.tsx'
import { errorText } from '../error-text.ts'
import { commandWords, states, stateWord } from './words.ts'

type Sent = CallData<'commands.sent'>['sentCommands'][number]
const pageSize = 50
/** While something is on its way the list is asked again. */
const whileOpenMs = 5_000

/** All that was sent, newest first: what became of it, and what waits for the caller's approval. */
export function SentCommands() {
  const { address, patch } = useAddress()
  const state = textOf(address.state) ?? ''
  const page = Math.max(1, Number(textOf(address.page) ?? 1) || 1)
  const { data, error, isPending, refetch } = useQuery<{ rows: Sent[]; total: number }>({
    queryKey: ['records', 'sent-commands', state, page],
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: held }) =>
      soonAfterFailure(held.data?.rows.some((one) => stateWord(one.state).isOpen) ? whileOpenMs : false)({ state: held }),
    queryFn: async ({ signal }) => {
      const answer = await call('commands.sent', { query: { page, size: pageSize, ...(state === '' ? {} : { state }) } }, { signal })
      return { rows: answer.data.sentCommands, total: answer.meta?.total ?? 0 }
    },
  })
  const { rows = [], total = 0 } = data ?? {}
  return (
    <section className="fleet-box" aria-label={t('Sent commands')}>
      <div className="fleet-panel-head">
        <h2>{t('Sent so far')}</h2>
        <Select
          aria-label={t('State')}
          className="fleet-state-filter"
          value={state}
          onChange={(next: string) => patch({ state: next || undefined, page: undefined })}
          options={[
            { value: '', label: t('Any state') },
            ...Object.entries(states).map(([value, { label }]) => ({ value, label: t(label) })),
          ]}
        />
      </div>
      <Outdated error={data ? error : null} onRetry={refetch} />
      {error && !data ? (
        <ErrorState error={error} what={t('The commands')} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingState />
      ) : rows.length === 0 ? (
        <EmptyState title={t('Nothing was sent')} body={t('What is sent to a device appears here, with what became of it.')} />
      ) : (
        <>
          <SentRows rows={rows} />
          {total > pageSize ? (
            <Pagination
              size="small"
              current={page}
              total={total}
              pageSize={pageSize}
              showSizeChanger={false}
              onChange={(next) => patch({ page: next === 1 ? undefined : String(next) })}
            />
          ) : null}
        </>
      )}
    </section>
  )
}

function SentRows({ rows }: { rows: readonly Sent[] }) {
  const client = useQueryClient()
  const me = useLayout().data?.user.Id
  const approve = useMutation({
    mutationFn: ({ deviceId, type, id, parameters }: Sent) =>
      call('devices.sendCommand', { params: { deviceId, commandId: type }, body: { approves: id, parameters } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['records', 'sent-commands'] }),
  })
  return (
    <>
      {approve.error ? <Alert type="error" showIcon title={errorText(approve.error)} /> : null}
      <ul className="fleet-rows">
        {rows.map((one) => (
          <li key={one.id} data-tone={stateWord(one.state).tone}>
            <span>
              <strong>{one.device}</strong> · {commandWords(one.type)} · {t(stateWord(one.state).label)}
              {one.reason ? ` (${one.reason})` : ''}
              {one.answer ? ` · “${one.answer}”` : ''}
              <br />
              <small>
                {one.createdBy ?? t('A rule')}
                {one.purpose ? `: ${one.purpose}` : ''}
                {one.approvedBy ? ` · ${t('approved by {{name}}', { name: one.approvedBy })}` : ''}
              </small>
            </span>
            <time dateTime={one.dateCreated}>{formatCompanyDateTime(one.dateCreated)}</time>
            {one.state === 'asked' && one.createdUserId !== me ? (
              <Button
                size="small"
                loading={approve.isPending && approve.variables?.id === one.id}
                aria-label={t('Approve for {{name}}', { name: one.device })}
                onClick={() => approve.mutate(one)}
              >
                {t('Approve')}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  )
}
