import { onlineCalls } from '@evenkeel/contract/online';
import { openRoute, type Route, route } from '../../platform/http/route.ts';
import { finishReview, onlineClearing } from './clearing.ts';
import { connect, disconnect, onlinePayments, saveSettings } from './connection.ts';

export const onlineRoutes: Route[] = [
  route(onlineCalls.getOnlinePayments, onlinePayments),
  openRoute(onlineCalls.connectOnlinePayments, connect),
  openRoute(onlineCalls.disconnectOnlinePayments, disconnect),
  route(onlineCalls.saveOnlinePayments, saveSettings),
  route(onlineCalls.onlineClearing, onlineClearing),
  route(onlineCalls.finishOnlineReview, finishReview),
];
