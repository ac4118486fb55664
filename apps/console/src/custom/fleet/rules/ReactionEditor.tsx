import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Form, Input, Select, Switch } from 'antd'
import { isScheduled } from '@outpost/contract/geo/rule-words'
import { useState } from 'react'
import { call, type CallData } from '../../../data/calls.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import type { CustomProps } from '../../props.ts'
import { BranchChoice } from '../BranchChoice.tsx'
import { UnloadedEditor } from '../UnloadedEditor.tsx'
import { errorText } from '../error-text.ts'
import { Preview } from './Preview.tsx'
import { problemsOf } from './problems.ts'
import { ReactionFields } from './ReactionFields.tsx'
import {
  emptyReaction,
  isWholeReaction,
  reactionBody,
  reactionDraftOf,
  reactionKinds,
  type ReactionDraft,
  type ReactionKind,
} from './reaction.ts'
import { draftOf, ruleBody } from './rule.ts'
import { EscalationFields } from './NotifyFields.tsx'
import { noEscalation } from './rule-notification.ts'
import '../fleet.css'

type Stored = CallData<'eventActions.get'>['eventAction']

const kindWords: Readonly<Record<ReactionKind, string>> = {
  notify: 'Tell people here',
  email: 'Send mail',
  sms: 'Send SMS',
  webhook: 'Call a webhook',
  command: 'Send a command',
}
/** Parts of the body that the form shows problems of at the field. */
const shownAt = ['name', 'eventIoId', 'parameters']

/** What follows when a rule matches, in words: whom it tells and what it says, or what it sends. Beside it, how often its rule would have rung. */
export function ReactionEditor({ params: { id } }: CustomProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['records', 'eventAction', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => (await call('eventActions.get', { params: { id: id ?? '' } }, { signal })).data.eventAction,
  })
  if (id === undefined) return <Editor />
  if (data && !error) return <Editor key={data.version} stored={data} />
  return <UnloadedEditor title={t('Event action')} what={t('This event action')} error={error} onRetry={() => void refetch()} />
}

function Editor({ stored }: { stored?: Stored }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [draft, setDraft] = useState<ReactionDraft>(stored ? reactionDraftOf(stored) : emptyReaction)
  const change = (changes: Partial<ReactionDraft>) => setDraft((before) => ({ ...before, ...changes }))
  const save = useMutation({
    mutationFn: () => {
      const body = reactionBody(draft, stored)
      const version = stored?.version === undefined ? {} : { version: stored.version }
      return stored
        ? call('eventActions.update', { params: { id: stored.Id }, body: { ...body, ...version } })
        : call('eventActions.create', { body })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['records', 'eventAction'] })
      await client.invalidateQueries({ queryKey: ['records', 'eventIo'] })
      toast.success({ title: t('Event action saved'), body: draft.name })
      void navigate({ to: '/tracking/event-actions' })
    },
  })
  const { problemAt, isShown } = problemsOf(save.error, shownAt)
  const problem = (path: string) => {
    const words = problemAt(path)
    return words === undefined ? {} : { help: words, validateStatus: 'error' as const }
  }
  return (
    <>
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{stored ? stored.name : t('New event action')}</h1>
        </div>
      </header>
      <div className="fleet-editor">
        <Form noValidate layout="vertical" onFinish={() => save.mutate()}>
          <Form.Item label={t('Name')} htmlFor="reaction-name" required {...problem('name')}>
            <Input id="reaction-name" maxLength={120} value={draft.name} onChange={(event) => change({ name: event.target.value })} />
          </Form.Item>
          <RuleChoice value={draft.eventIoId} onChange={(eventIoId) => change({ eventIoId })} problem={problem('eventIoId')} />
          <Form.Item label={t('What follows')} htmlFor="reaction-kind" required>
            <Select
              id="reaction-kind"
              value={draft.kind}
              onChange={(kind: ReactionKind) => change({ kind })}
              options={reactionKinds.map((value) => ({ value, label: t(kindWords[value]) }))}
            />
          </Form.Item>
          <ReactionFields draft={draft} change={change} hasSecret={stored?.hasSecret === true} problem={problem} />
          {draft.kind === 'command' ? null : (
            <>
              <label className="fleet-switch">
                <Switch
                  size="small"
                  checked={draft.escalation !== null}
                  onChange={(on) => change({ escalation: on ? noEscalation : null })}
                />{' '}
                {t('Tell others if nobody takes note')}
              </label>
              {draft.escalation ? (
                <EscalationFields escalation={draft.escalation} onChange={(escalation) => change({ escalation })} />
              ) : null}
            </>
          )}
          <BranchChoice id="reaction-branch" value={draft.tenantId} onChange={(tenantId) => change({ tenantId })} />
          <label className="fleet-switch">
            <Switch size="small" checked={draft.isActive} onChange={(isActive) => change({ isActive })} /> {t('On')}
          </label>
          {save.error && !isShown ? <Alert type="error" showIcon title={errorText(save.error)} /> : null}
          <div className="fleet-acts">
            <Button type="primary" htmlType="submit" disabled={!isWholeReaction(draft, stored)} loading={save.isPending}>
              {t('Save')}
            </Button>
            <Button onClick={() => void navigate({ to: '/tracking/event-actions' })}>{t('Cancel')}</Button>
          </div>
        </Form>
        <RulePreview id={draft.eventIoId} />
      </div>
    </>
  )
}

interface RuleChoiceProps {
  value: string | null
  onChange: (id: string | null) => void
  problem: object
}

function RuleChoice({ value, onChange, problem }: RuleChoiceProps) {
  const { data: rules, isPending } = useQuery({
    queryKey: ['records', 'eventIo', 'options'],
    queryFn: async ({ signal }) =>
      (await call('eventIos.list', { query: { size: 1_000, sortField: 'name', sortOrder: 'ASC' } }, { signal })).data.eventIos,
  })
  const options = (rules ?? []).map(({ Id, name }) => ({ value: Id, label: name }))
  const isGone = rules !== undefined && value !== null && !options.some((one) => one.value === value)
  return (
    <Form.Item
      label={t('When this rule matches')}
      htmlFor="reaction-rule"
      extra={value === null ? t('Without a rule it does nothing.') : undefined}
      {...problem}
    >
      <Select
        id="reaction-rule"
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        loading={isPending}
        value={value}
        onChange={(next: string | undefined) => onChange(next ?? null)}
        options={isGone && value !== null ? [...options, { value, label: t('No longer there') }] : options}
      />
    </Form.Item>
  )
}

/** How often the rule of a reaction would have rung. */
function RulePreview({ id }: { id: string | null }) {
  const { data: rule } = useQuery({
    queryKey: ['records', 'eventIo', id],
    enabled: id !== null,
    retry: false,
    queryFn: async ({ signal }) => (await call('eventIos.get', { params: { id: id ?? '' } }, { signal })).data.eventIo,
  })
  const chosen = id === null ? undefined : rule
  return (
    <Preview
      body={chosen && ruleBody(draftOf(chosen))}
      isScheduled={isScheduled(chosen?.eventType ?? '')}
      missing={t('Choose a rule to see how often it would have rung.')}
    />
  )
}
