<?php
/**
 * Plugin Name:       Almanac
 * Description:       Horoscopes, cards of the day and pairs of signs from a site that Almanac publishes, as a block and a shortcode.
 * Version:           0.2.0
 * Requires at least: 6.1
 * Requires PHP:      7.4
 * License:           MIT
 * License URI:       https://opensource.org/license/mit/
 * Text Domain:       almanac
 *
 * @package Almanac
 */

namespace Almanac;

defined( 'ABSPATH' ) || exit;

require_once __DIR__ . '/includes/class-refusal.php';
require_once __DIR__ . '/includes/class-settings.php';
require_once __DIR__ . '/includes/class-signature.php';
require_once __DIR__ . '/includes/class-published-site.php';
require_once __DIR__ . '/includes/class-ask.php';
require_once __DIR__ . '/includes/class-kept-texts.php';
require_once __DIR__ . '/includes/class-lock.php';
require_once __DIR__ . '/includes/class-refresher.php';
require_once __DIR__ . '/includes/class-languages.php';
require_once __DIR__ . '/includes/class-sections.php';
require_once __DIR__ . '/includes/class-shape.php';
require_once __DIR__ . '/includes/class-markup.php';
require_once __DIR__ . '/includes/class-display.php';
require_once __DIR__ . '/includes/class-site-test.php';
require_once __DIR__ . '/includes/class-settings-page.php';

add_action( 'init', array( Display::class, 'register' ) );
add_action( 'init', array( Refresher::class, 'schedule' ) );
add_action( 'admin_init', array( Settings_Page::class, 'register' ) );
add_action( 'admin_menu', array( Settings_Page::class, 'add' ) );
add_action( 'admin_post_almanac_test', array( Settings_Page::class, 'test' ) );
add_filter( 'cron_schedules', array( Refresher::class, 'intervals' ) ); // phpcs:ignore WordPress.WP.CronInterval -- a quarter of an hour.
add_action( Refresher::HOOK, array( Refresher::class, 'run_due' ) );

// Failures at another address, or without the right key, do not apply to this one.
add_action( 'update_option_' . Settings::OPTION, array( Refresher::class, 'forget_failures' ) );

register_deactivation_hook( __FILE__, array( Refresher::class, 'unschedule' ) );
