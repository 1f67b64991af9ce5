import { webhookCalls } from '@evenkeel/contract/webhooks';
import { type Route, route } from '../../platform/http/route.ts';
import {
  createWebhook,
  deleteWebhook,
  getDelivery,
  listDeliveries,
  listWebhooks,
  pauseWebhook,
  resend,
  resumeWebhook,
  rotateSecret,
  sendTest,
  updateWebhook,
} from './webhooks.ts';

export const webhookRoutes: Route[] = [
  route(webhookCalls.listWebhooks, listWebhooks),
  route(webhookCalls.createWebhook, createWebhook),
  route(webhookCalls.updateWebhook, updateWebhook),
  route(webhookCalls.deleteWebhook, deleteWebhook),
  route(webhookCalls.pauseWebhook, pauseWebhook),
  route(webhookCalls.resumeWebhook, resumeWebhook),
  route(webhookCalls.rotateWebhookSecret, rotateSecret),
  route(webhookCalls.sendTestEvent, sendTest),
  route(webhookCalls.listWebhookDeliveries, listDeliveries),
  route(webhookCalls.getWebhookDelivery, getDelivery),
  route(webhookCalls.resendWebhookDelivery, resend),
];
