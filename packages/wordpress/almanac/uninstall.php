<?php
/**
 * Takes away all that the plugin stored, on every site of a network.
 *
 * @package Almanac
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/** Options, texts and what a test left, by their names' beginning, and the task. */
function almanac_remove_all(): void {
	global $wpdb;
	foreach ( array( 'almanac_', '_transient_almanac_', '_transient_timeout_almanac_' ) as $beginning ) {
		$like = $wpdb->esc_like( $beginning ) . '%';
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- a list of options by their beginning is had in no other way.
		foreach ( $wpdb->get_col( $wpdb->prepare( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE %s", $like ) ) as $name ) {
			delete_option( $name );
		}
	}
	wp_clear_scheduled_hook( 'almanac_refresh' );
}

if ( is_multisite() ) {
	foreach ( get_sites(
		array(
			'fields' => 'ids',
			'number' => 0,
		)
	) as $almanac_site ) {
		switch_to_blog( $almanac_site );
		almanac_remove_all();
		restore_current_blog();
	}
} else {
	almanac_remove_all();
}
