import { Form, Input, Select } from 'antd'
import { t } from '../../../session/labels.ts'
import { Parameters } from '../commands/Parameters.tsx'
import { commandWords } from '../commands/words.ts'
import { commandsOfRules, type ReactionDraft } from './reaction.ts'
import { useRecipients } from './recipients.ts'
import { Addresses } from './NotifyFields.tsx'

interface FieldsProps {
  draft: ReactionDraft
  change: (changes: Partial<ReactionDraft>) => void
  /** A secret is stored, which nobody is told. */
  hasSecret: boolean
  /** What was wrong with a part of the body, for its field. */
  problem: (path: string) => object
}

/** The fields of one kind of reaction. */
export function ReactionFields(props: FieldsProps) {
  switch (props.draft.kind) {
    case 'notify':
      return <People {...props} />
    case 'email':
      return <Mail {...props} />
    case 'sms':
      return <Sms {...props} />
    case 'webhook':
      return <Webhook {...props} />
    case 'command':
      return <Command {...props} />
  }
}

function People({ draft, change, problem }: FieldsProps) {
  const { people, roles, teams } = useRecipients()
  const choices = [
    { key: 'userIds', label: 'People', mode: 'multiple', options: people },
    { key: 'roles', label: 'Everybody with these roles', mode: 'tags', options: roles },
    { key: 'teamIds', label: 'Everybody in these teams', mode: 'multiple', options: teams },
  ] as const
  return (
    <>
      {choices.map(({ key, label, mode, options }) => (
        <Form.Item key={key} label={t(label)} htmlFor={`reaction-${key}`} {...problem(`parameters.${key}`)}>
          <Select
            id={`reaction-${key}`}
            mode={mode}
            showSearch={{ optionFilterProp: 'label' }}
            value={draft[key]}
            onChange={(chosen: string[]) => change({ [key]: chosen })}
            options={mode === 'tags' ? options : withChosen(options, draft[key])}
          />
        </Form.Item>
      ))}
      <Message draft={draft} change={change} problem={problem} maxLength={500} />
    </>
  )
}

/** Whom the caller may not list keeps their place. */
const withChosen = (options: readonly { value: string; label: string }[], chosen: readonly string[]) => [
  ...options,
  ...chosen.filter((id) => !options.some(({ value }) => value === id)).map((id) => ({ value: id, label: t('Somebody out of your reach') })),
]

function Mail({ draft, change, problem }: FieldsProps) {
  return (
    <>
      <Form.Item label={t('Send mail to')} htmlFor="reaction-mail" required {...problem('parameters.to')}>
        <Addresses id="reaction-mail" value={draft.emails} onChange={(emails) => change({ emails })} />
      </Form.Item>
      <Form.Item label={t('Subject')} htmlFor="reaction-subject" {...problem('parameters.subject')}>
        <Input id="reaction-subject" maxLength={200} value={draft.subject} onChange={(event) => change({ subject: event.target.value })} />
      </Form.Item>
      <Message draft={draft} change={change} problem={problem} maxLength={4_000} />
    </>
  )
}

function Sms({ draft, change, problem }: FieldsProps) {
  return (
    <>
      <Form.Item
        label={t('Send SMS to')}
        htmlFor="reaction-phones"
        required
        extra={t('Numbers with their country, such as +254712345678')}
        {...problem('parameters.to')}
      >
        <Addresses id="reaction-phones" value={draft.phones} onChange={(phones) => change({ phones })} />
      </Form.Item>
      <Message draft={draft} change={change} problem={problem} maxLength={480} />
    </>
  )
}

function Message({ draft, change, problem, maxLength }: Omit<FieldsProps, 'hasSecret'> & { maxLength: number }) {
  return (
    <Form.Item
      label={t('Message')}
      htmlFor="reaction-message"
      extra={t('Left empty: what happened, where and when')}
      {...problem('parameters.message')}
    >
      <Input.TextArea
        id="reaction-message"
        autoSize
        maxLength={maxLength}
        value={draft.message}
        onChange={(event) => change({ message: event.target.value })}
      />
    </Form.Item>
  )
}

function Webhook({ draft, change, hasSecret, problem }: FieldsProps) {
  return (
    <>
      <Form.Item label={t('Address')} htmlFor="reaction-url" required {...problem('parameters.url')}>
        <Input
          id="reaction-url"
          type="url"
          placeholder="https://"
          value={draft.url}
          onChange={(event) => change({ url: event.target.value })}
        />
      </Form.Item>
      <Form.Item
        label={t('Secret')}
        htmlFor="reaction-secret"
        extra={hasSecret ? t('Left empty: the secret that is stored stays') : t('Messages are signed with it; at least 16 characters')}
        {...problem('parameters.secret')}
      >
        <Input
          id="reaction-secret"
          type="password"
          autoComplete="off"
          maxLength={200}
          value={draft.secret}
          onChange={(event) => change({ secret: event.target.value })}
        />
      </Form.Item>
    </>
  )
}

function Command({ draft, change, problem }: FieldsProps) {
  return (
    <>
      <Form.Item
        label={t('Command')}
        htmlFor="reaction-command"
        required
        extra={t('A person approves it before it leaves. What may stop a vehicle is sent by people alone.')}
        {...problem('parameters.commandType')}
      >
        <Select
          id="reaction-command"
          value={draft.commandType}
          onChange={(commandType: string) => change({ commandType })}
          options={commandsOfRules.map((value) => ({ value, label: commandWords(value) }))}
        />
      </Form.Item>
      <Parameters
        id="reaction"
        commandType={draft.commandType}
        draft={draft.command}
        change={(changes) => change({ command: { ...draft.command, ...changes } })}
      />
    </>
  )
}
