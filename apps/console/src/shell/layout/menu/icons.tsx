import {
  AimOutlined, AlertOutlined, ApartmentOutlined, AppstoreOutlined, BankOutlined, BarChartOutlined, BellOutlined, CalculatorOutlined,
  CalendarOutlined, CarOutlined, CarryOutOutlined, CheckSquareOutlined, CodeOutlined, CommentOutlined, CompassOutlined, ContactsOutlined,
  DashboardOutlined, DatabaseOutlined, EnvironmentOutlined, EyeOutlined, FieldTimeOutlined, FileTextOutlined, FunnelPlotOutlined,
  GoldOutlined, HistoryOutlined, LoginOutlined, MailOutlined, MessageOutlined, MobileOutlined, NodeIndexOutlined, RiseOutlined,
  SafetyOutlined, ScheduleOutlined, SettingOutlined, ShoppingOutlined, SolutionOutlined, TagOutlined, TeamOutlined, ThunderboltOutlined,
  ToolOutlined, UserDeleteOutlined, UserOutlined, WalletOutlined, WarningOutlined,
} from '@ant-design/icons'
import type { ComponentType } from 'react'

const icons: Record<string, ComponentType> = {
  'aim': AimOutlined, 'alert': AlertOutlined, 'apartment': ApartmentOutlined, 'bank': BankOutlined, 'bar-chart': BarChartOutlined,
  'bell': BellOutlined, 'calculator': CalculatorOutlined, 'calendar': CalendarOutlined, 'calendar-check': CarryOutOutlined, 'car': CarOutlined,
  'check': CheckSquareOutlined, 'comment': CommentOutlined, 'console': CodeOutlined, 'contacts': ContactsOutlined, 'dashboard': DashboardOutlined,
  'database': DatabaseOutlined, 'environment': EnvironmentOutlined, 'eye': EyeOutlined, 'fence': GoldOutlined, 'file-chart': FileTextOutlined,
  'funnel': FunnelPlotOutlined, 'history': HistoryOutlined, 'insurance': SafetyOutlined, 'login': LoginOutlined, 'mail': MailOutlined,
  'map': CompassOutlined, 'message': MessageOutlined, 'mobile': MobileOutlined, 'product': ShoppingOutlined, 'radar': FieldTimeOutlined,
  'rise': RiseOutlined, 'route': NodeIndexOutlined, 'safety': SafetyOutlined, 'schedule': ScheduleOutlined, 'setting': SettingOutlined,
  'sms': MobileOutlined, 'tag': TagOutlined, 'team': TeamOutlined, 'thunderbolt': ThunderboltOutlined, 'tool': ToolOutlined,
  'user': UserOutlined, 'user-check': SolutionOutlined, 'user-off': UserDeleteOutlined, 'wallet': WalletOutlined, 'warning': WarningOutlined,
}

/** The icon of a menu entry by the name the server gives; an unknown name has a neutral one. */
export function MenuIcon({ name }: { name: string }) {
  const Icon = icons[name] ?? AppstoreOutlined
  return <span className="o-menu-icon" aria-hidden="true"><Icon /></span>
}
