import { useState } from 'react'
import { Alert, Button, InputNumber, Segmented, Select } from 'antd'
import { residualOf } from '@outpost/rules/targets/target-distribution'
import type { CallBody } from '@outpost/client/client'
import { call } from '../../data/calls.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { ErrorState, ErrorText, LoadingState } from '../../view/states/index.tsx'
import { formatAmount, type BoardData, type Target } from './board.ts'
import { useProposal, type Proposal } from './useBoard.ts'

const kinds = [
  { value: 'user', label: 'People' },
  { value: 'team', label: 'Teams' },
  { value: 'tenant', label: 'Branches' },
]
const methods = [
  { value: 'even', label: 'Evenly' },
  { value: 'last', label: 'As last period' },
  { value: 'headcount', label: 'By heads' },
]

/** Shares a target out to those below its owner; what rounding leaves is shown until somebody has it. */
export function Parts({ target, data }: { target: Target; data: BoardData }) {
  const [choice, setChoice] = useState({ to: target.ownerType === 'team' ? 'user' : 'team', method: 'even', spread: false })
  const proposal = useProposal(target.Id, choice)
  const change = (over: Partial<typeof choice>) => setChoice((before) => ({ ...before, spread: false, ...over }))
  return (
    <div className="tg-parts">
      <div className="tg-choices">
        {target.ownerType === 'tenant' && (
          <Select
            aria-label={t('To whom')}
            value={choice.to}
            options={kinds.map(({ value, label }) => ({ value, label: t(label) }))}
            onChange={(to) => change({ to })}
          />
        )}
        <Segmented
          aria-label={t('How')}
          value={choice.method}
          options={methods
            .filter(({ value }) => value !== 'headcount' || choice.to !== 'user')
            .map(({ value, label }) => ({ value, label: t(label) }))}
          onChange={(method) => change({ method })}
        />
      </div>
      {proposal.isPending ? (
        <LoadingState rows={4} />
      ) : proposal.error ? (
        <ErrorState error={proposal.error} what={t('The parts')} onRetry={() => void proposal.refetch()} />
      ) : proposal.data.parts.length === 0 ? (
        <p className="tg-nothing">{t('There is nobody below to share it with.')}</p>
      ) : (
        <Editor
          key={`${proposal.data.to} ${proposal.data.method} ${proposal.data.residual}`}
          target={target}
          data={data}
          proposal={proposal.data}
          onSpread={() => change({ spread: true })}
        />
      )}
    </div>
  )
}

function Editor({ target, data, proposal, onSpread }: { target: Target; data: BoardData; proposal: Proposal; onSpread: () => void }) {
  const [values, setValues] = useState(() => new Map(proposal.parts.map((part) => [part.ownerId, part.value])))
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const residual = residualOf(target.value, [...values.values()])
  const amount = (number: number) => formatAmount(number, target.figures.unit, data.currency)
  const save = async () => {
    setSaving(true)
    setError(undefined)
    try {
      const { message } = await call('targets.saveParts', {
        params: { id: target.Id },
        body: {
          parts: proposal.parts.map(({ ownerType, ownerId }) => ({ ownerType, ownerId, value: values.get(ownerId) ?? 0 })),
        } as CallBody<'targets.saveParts'>,
      })
      await queryClient.invalidateQueries({ queryKey: keys.records('target') })
      toast.success({ title: message ?? t('Target distributed') })
    } catch (cause) {
      setError(cause)
    } finally {
      setSaving(false)
    }
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <ul className="tg-shares">
        {proposal.parts.map(({ ownerId, name, people, present }) => (
          <li key={ownerId}>
            <span className="tg-name">
              {name}
              {people !== 1 && (
                <small>
                  {' '}
                  {people} {t('people')}
                </small>
              )}
              {present !== null && (
                <small>
                  {' '}
                  {t('has')} {amount(present)}
                </small>
              )}
            </span>
            <InputNumber
              aria-label={name}
              min={0}
              precision={proposal.decimals}
              controls={false}
              value={values.get(ownerId)}
              onChange={(value) => setValues((before) => new Map(before).set(ownerId, value ?? 0))}
            />
          </li>
        ))}
      </ul>
      <p className="tg-residual" role="status" data-tone={residual < 0 ? 'bad' : residual > 0 ? 'warn' : 'good'}>
        <span>{t(residual < 0 ? 'Too much' : 'Left over')}</span>
        <strong>{amount(Math.abs(residual))}</strong>
        {proposal.residual > 0 && residual === proposal.residual && (
          <Button size="small" onClick={onSpread}>
            {t('Spread it')}
          </Button>
        )}
      </p>
      {error === undefined ? null : <Alert type="error" showIcon role="alert" title={<ErrorText error={error} />} />}
      <Button type="primary" htmlType="submit" loading={isSaving} disabled={residual < 0}>
        {t('Save parts')}
      </Button>
    </form>
  )
}
