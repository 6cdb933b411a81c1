<?php
/**
 * Settings, Almanac: the site's address, language, keys and colours by WordPress's settings API, and the button "Test".
 *
 * @package Almanac
 */

namespace Almanac;

/** For administrators alone. */
final class Settings_Page {
	const PAGE = 'almanac';
	/** Storage of a test's lines until the page shows them. */
	const LINES = 'almanac_test_';

	/** Registers the option and its fields. */
	public static function register(): void {
		register_setting(
			self::PAGE,
			Settings::OPTION,
			array(
				'type'              => 'array',
				'sanitize_callback' => array( Settings::class, 'sanitize' ),
			)
		);
		add_settings_section( 'site', __( 'The site', 'almanac' ), '__return_null', self::PAGE );
		add_settings_section( 'colours', __( 'Colours', 'almanac' ), array( self::class, 'about_colours' ), self::PAGE );
		self::field( 'site', 'url', __( 'Address', 'almanac' ), 'address' );
		self::field( 'site', 'language', __( 'Language', 'almanac' ), 'language' );
		self::field( 'site', 'keys', __( 'Public keys', 'almanac' ), 'keys' );
		self::field( 'colours', 'text', __( 'Text', 'almanac' ), 'colour' );
		self::field( 'colours', 'heading', __( 'Headings', 'almanac' ), 'colour' );
		self::field( 'colours', 'background', __( 'Background', 'almanac' ), 'colour' );
	}

	/** Its place in the menu. */
	public static function add(): void {
		add_options_page( __( 'Almanac', 'almanac' ), __( 'Almanac', 'almanac' ), 'manage_options', self::PAGE, array( self::class, 'show' ) );
	}

	/** The page. */
	public static function show(): void {
		echo '<div class="wrap"><h1>' . esc_html( get_admin_page_title() ) . '</h1>';
		self::show_lines();
		echo '<form action="options.php" method="post">';
		settings_fields( self::PAGE );
		do_settings_sections( self::PAGE );
		submit_button();
		echo '</form><h2>' . esc_html__( 'Test', 'almanac' ) . '</h2>';
		echo '<form action="' . esc_url( admin_url( 'admin-post.php' ) ) . '" method="post">';
		echo '<p>' . esc_html__( 'Reads the site as it is saved above, and says what is wrong.', 'almanac' ) . '</p>';
		echo '<input type="hidden" name="action" value="almanac_test" />';
		wp_nonce_field( 'almanac_test' );
		submit_button( __( 'Test', 'almanac' ), 'secondary', 'almanac-test' );
		echo '</form></div>';
	}

	/** Handles the button. */
	public static function test(): void {
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'Only an administrator can test the site.', 'almanac' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( 'almanac_test' );
		set_transient( self::LINES . get_current_user_id(), Site_Test::lines(), MINUTE_IN_SECONDS );
		wp_safe_redirect( admin_url( 'options-general.php?page=' . self::PAGE ) );
		exit;
	}

	/** Under the heading of the colours. */
	public static function about_colours(): void {
		echo '<p>' . esc_html__( 'Left empty, texts have the theme’s own colours. Choose pairs that are easy to tell apart.', 'almanac' ) . '</p>';
	}

	public static function address( array $field ): void {
		self::input( $field, 'url', 'https://almanac.example/' );
	}

	public static function colour( array $field ): void {
		self::input( $field, 'text', '#1d2327' );
	}

	public static function language( array $field ): void {
		$chosen  = Settings::all()['language'];
		$choices = array_merge( array( 'page' => __( 'As the page’s', 'almanac' ) ), Languages::published() );
		if ( ! isset( $choices[ $chosen ] ) ) {
			$choices[ $chosen ] = $chosen;
		}
		echo '<select id="' . esc_attr( $field['label_for'] ) . '" name="' . esc_attr( $field['name'] ) . '">';
		foreach ( $choices as $code => $name ) {
			echo '<option value="' . esc_attr( $code ) . '"' . selected( $code, $chosen, false ) . '>' . esc_html( $name ) . '</option>';
		}
		echo '</select>';
	}

	public static function keys( array $field ): void {
		echo '<textarea class="large-text code" rows="3" id="' . esc_attr( $field['label_for'] ) . '" name="' . esc_attr( $field['name'] ) . '" aria-describedby="almanac-about-keys">';
		echo esc_textarea( Settings::all()['keys'] ) . '</textarea><p class="description" id="almanac-about-keys">';
		echo esc_html__( 'Of which one must have signed the site, one on each line. Empty: hashes are checked, signatures are not.', 'almanac' ) . '</p>';
	}

	private static function input( array $field, string $type, string $example ): void {
		printf(
			'<input class="regular-text code" type="%s" id="%s" name="%s" value="%s" placeholder="%s" />',
			esc_attr( $type ),
			esc_attr( $field['label_for'] ),
			esc_attr( $field['name'] ),
			esc_attr( Settings::all()[ $field['setting'] ] ),
			esc_attr( $example )
		);
	}

	private static function field( string $section, string $setting, string $label, string $shown_by ): void {
		$names = array(
			'label_for' => "almanac-$setting",
			'name'      => Settings::OPTION . "[$setting]",
			'setting'   => $setting,
		);
		add_settings_field( "almanac-$setting", $label, array( self::class, $shown_by ), self::PAGE, $section, $names );
	}

	private static function show_lines(): void {
		$place = self::LINES . get_current_user_id();
		$lines = get_transient( $place );
		delete_transient( $place );
		$classes = array(
			'ok'      => 'notice-success',
			'warning' => 'notice-warning',
			'error'   => 'notice-error',
		);
		foreach ( is_array( $lines ) ? $lines : array() as list( $kind, $sentence ) ) {
			echo '<div class="notice ' . esc_attr( $classes[ $kind ] ) . '"><p>' . esc_html( $sentence ) . '</p></div>';
		}
	}
}
