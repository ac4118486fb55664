import { Button } from 'antd'
import { useModal } from '../../feedback/ModalHost.tsx'
import { forgetPerson, workOfPerson } from '../../offline/store/sealed-work.ts'
import { toast } from '../../feedback/toast.ts'
import { requestSignOut } from '../sign-out.ts'
import { t } from '../../session/labels.ts'

/** Takes the user's offline data off this device, as before it is handed on; never what the server does not have. */
export function DeviceCard({ userId }: { userId: string }) {
  const modal = useModal()
  const forget = async (): Promise<void> => {
    const waiting = await workOfPerson(userId)
    if (waiting > 0)
      return void modal.warning({
        title: stays(waiting),
        content: t('Send it with Sync now, or decide on it under Needs attention, and then remove your data.'),
      })
    await requestSignOut(async () => {
      const kept = await forgetPerson(userId)
      if (kept > 0) toast.warning({ title: stays(kept), seconds: 0 })
    })
  }
  const ask = (): void => {
    modal.confirm({
      title: t('Remove your data from this device?'),
      okText: t('Remove and sign out'),
      okButtonProps: { danger: true },
      onOk: forget,
      content: t('What is kept here for offline work is deleted. Everything at the server stays.'),
    })
  }
  return (
    <section className="o-card" aria-label={t('This device')}>
      <h2>{t('This device')}</h2>
      <p>{t('Your records are kept here, locked with your password, so that you can work without a connection.')}</p>
      <Button danger onClick={ask}>
        {t('Remove my data from this device')}
      </Button>
    </section>
  )
}

const stays = (count: number): string => t('{{count}} changes are not at the server yet and stay on this device', { count })
